import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The way to a server, which a test can bar. */
export interface ServerDoor {
  /** On loopback. */
  readonly port: number;
  /** Nothing passes, and who comes is left waiting: a server that stands still. */
  hold(): void;
  /** Connections are cut, and who comes is refused: a server that was killed. */
  shut(): Promise<void>;
  /** All passes again. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a way to a server on this machine. */
export async function serverDoor(target: number): Promise<ServerDoor> {
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
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    shut,
    open: async () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: shut,
  };
}
