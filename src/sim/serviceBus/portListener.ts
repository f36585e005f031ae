import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { AmqpEndpoint } from "./amqp/amqpEndpoint.ts";
import type { AmqpConnection } from "./amqp/rhea.ts";

/** How long connections have to take leave when the broker stops. */
const farewellMs = 250;

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly endpoint: AmqpEndpoint;
  /** What a plain HTTP GET of any path on the port shows. */
  readonly page: () => unknown;
}

/** One TCP port for AMQP and, for people and scripts, a page of JSON over HTTP. The first bytes tell which. */
export class PortListener {
  readonly #server: Server;
  readonly #http: HttpServer;
  readonly #endpoint: AmqpEndpoint;
  readonly #sockets = new Set<Socket>();

  /** Listens. Throws a sentence that names the port when it is taken. */
  static async open(options: ListenerOptions): Promise<PortListener> {
    const listener = new PortListener(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.#server.once("error", reject);
    listener.#server.listen(options.port, options.host, resolve);
    try {
      await promise;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
        throw new Error(`Port ${options.port} on ${options.host} is already in use.`, { cause: error });
      throw error;
    }
    return listener;
  }

  private constructor({ endpoint, page }: ListenerOptions) {
    this.#endpoint = endpoint;
    this.#http = createHttpServer((_request, response) => {
      response.setHeader("content-type", "application/json").setHeader("connection", "close");
      response.end(`${JSON.stringify(page(), null, 2)}\n`);
    });
    this.#server = createServer((socket) => this.#greet(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Gives the connections, which were told to close, a moment to do so, and closes the port. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    const timer = setTimeout(() => this.#cut(), farewellMs);
    // What the endpoint has to say is written in the ticks before this.
    await new Promise(setImmediate);
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
    clearTimeout(timer);
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #greet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      if ("AMQP".startsWith(first.toString("latin1", 0, 4))) this.#speakAmqp(socket);
      else this.#http.emit("connection", socket);
    });
  }

  #speakAmqp(socket: Socket): void {
    const connection = this.#endpoint.connection();
    connection.accept(socket);
    // rhea itself looks only at "end" and "error".
    socket.on("close", () => this.#endpoint.dropped(connection));
    acknowledgeAtOnce(socket, connection);
  }
}

/**
 * The client's socket gathers small writes until the last one is acknowledged, and the kernel acknowledges late, after
 * 40 ms, unless data goes back. So whatever is read and not answered is answered by an empty frame.
 */
const acknowledgeAtOnce = (socket: Socket, connection: AmqpConnection): void => {
  let pending = false;
  socket.on("data", () => {
    if (pending) return;
    pending = true;
    const { bytesWritten } = socket;
    setImmediate(() => {
      pending = false;
      if (socket.bytesWritten === bytesWritten && socket.writable && connection.is_open()) connection._write_frame();
    });
  });
};
