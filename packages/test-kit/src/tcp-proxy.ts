import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy to a server whose traffic a test can stall or refuse. */
export interface TcpProxy {
  /** Port on loopback. */
  readonly port: number;
  /** Stalls all traffic, as a paused server does. */
  stall(): void;
  /** Closes all connections and refuses new ones, as a killed server does. */
  disconnect(): Promise<void>;
  /** Passes all traffic again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy to a server on this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    if (isHeld) socket.pause();
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const join = (from: Socket, to: Socket): void => {
    from.on('data', (data) => to.write(data)).on('close', () => to.destroy());
  };
  const server: Server = createServer((coming) => {
    const onward = connect(target, '127.0.0.1');
    join(coming, onward);
    join(onward, coming);
    track(coming);
    track(onward);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  const disconnect = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stall: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    disconnect,
    restore: async () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: disconnect,
  };
}
