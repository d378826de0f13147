/** Limits of every HTTP server. Those of the proxy in front (infra/nginx) are below them. */
export const serverLimits = {
  /** Connections of each listener: all that nginx and nginx-tls open to a gateway; at worst some 300 MB. */
  connectionsMax: 16_000,
  /** Connections that wait to be accepted: as many as the kernel allows (`net.core.somaxconn`). */
  backlog: 4096,
  /** Requests in flight: each holds its body and its response in memory. */
  inFlightMax: 1024,
  /** Longer than the 60 s of proxies: the side that sends requests must close, or a request may be lost. */
  keepAliveMs: 65_000,
} as const;
