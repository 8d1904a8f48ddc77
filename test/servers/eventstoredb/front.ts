// The port that clients connect to. It passes bytes to the node behind it, so that a connection can be reset or frozen
// without the node.

import net from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { freePort } from '../../free-port.ts'

/** The first bytes of a connection that speaks HTTP/2, and so gRPC. */
const HTTP2 = 'PRI'
/** Retries, because another process may take the port first. */
const TRIES = 5

export interface Front {
  /** Opens the port, the previous one if there was one. */
  listen(): Promise<void>
  /** Closes it; connections stay. */
  refuse(): Promise<void>
  /** Resets every connection. */
  cut(): void
  /** Closes every connection when what was written has gone. */
  end(): void
  freeze(): void
  thaw(): void
  port(): number
  connections(): number
}

/** The ports behind it: of gRPC, and of plain HTTP. */
interface Behind {
  readonly grpc: () => number
  readonly http: () => number
}

/** A certificate and its key, in PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** `identity`: connections speak TLS, with this certificate. */
export function makeFront(wanted: number, behind: Behind, identity: Identity | null = null): Front {
  const secured = identity === null ? null : securing(identity)
  const links = new Set<Link>()
  let port = wanted
  let frozen = false
  let server: net.Server | null = null
  const accept = (client: net.Socket): void => {
    const link = new Link(client, secured, behind, () => links.delete(link))
    links.add(link)
    if (!frozen) link.thaw()
  }
  const listenAt = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const opened = net.createServer({ noDelay: true, pauseOnConnect: true }, accept)
      opened.once('error', reject)
      opened.listen(at, '127.0.0.1', () => {
        server = opened
        port = at
        resolve()
      })
    })
  return {
    listen: async () => {
      for (let tries = 1; port === 0; tries++) {
        await listenAt(await freePort()).catch((failure: NodeJS.ErrnoException) => {
          if (failure.code !== 'EADDRINUSE' || tries === TRIES) throw failure
        })
        if (port !== 0) return
      }
      await listenAt(port)
    },
    refuse: () =>
      new Promise((resolve) => {
        // `close` waits for the connections; the port is closed at once.
        server?.close()
        server = null
        setImmediate(resolve)
      }),
    cut: () => {
      for (const link of [...links]) link.reset()
    },
    end: () => {
      for (const link of [...links]) link.end()
    },
    freeze: () => {
      frozen = true
      for (const link of links) link.freeze()
    },
    thaw: () => {
      frozen = false
      for (const link of links) link.thaw()
    },
    port: () => port,
    connections: () => links.size,
  }
}

type Securing = (client: net.Socket) => TLSSocket

function securing({ key, cert }: Identity): Securing {
  const secureContext = createSecureContext({ key, cert })
  return (client) => new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ['h2', 'http/1.1'] })
}

/** One connection of a client and the one behind it. */
class Link {
  readonly #client: net.Socket
  readonly #secured: Securing | null
  readonly #behind: Behind
  readonly #gone: () => void
  /** What the client sends and gets, without TLS; null until the connection is read. */
  #stream: net.Socket | null = null
  #node: net.Socket | null = null
  #frozen = true

  constructor(client: net.Socket, secured: Securing | null, behind: Behind, gone: () => void) {
    this.#client = client
    this.#secured = secured
    this.#behind = behind
    this.#gone = gone
    client.on('error', () => {})
    client.on('close', () => {
      gone()
      this.#node?.destroy()
    })
  }

  freeze(): void {
    this.#frozen = true
    this.#stream?.pause()
    this.#node?.pause()
  }

  /**
   * A process that continues finds all that came meanwhile at once, also that a caller gave
   * up: so it is handed on at once.
   */
  thaw(): void {
    this.#frozen = false
    this.#node?.cork()
    setImmediate(() => setImmediate(() => this.#node?.uncork()))
    this.#stream ??= this.#open()
    this.#stream.resume()
    this.#node?.resume()
  }

  reset(): void {
    this.#gone()
    // A connection that is being closed in the ordinary way cannot be reset any more.
    if (this.#client.writableEnded) this.#client.destroy()
    else this.#client.resetAndDestroy()
    this.#node?.destroy()
  }

  end(): void {
    this.#stream?.end()
    this.#node?.end()
  }

  #open(): net.Socket {
    if (this.#secured === null) {
      this.#client.once('data', (first: Buffer) => this.#connect(this.#client, first))
      return this.#client
    }
    const stream = this.#secured(this.#client)
    // A handshake that fails ends the connection, as it does at a real server.
    stream.on('error', () => this.#client.destroy())
    stream.once('data', (first: Buffer) => this.#connect(stream, first))
    return stream
  }

  #connect(client: net.Socket, first: Buffer): void {
    const port = first.toString('latin1', 0, HTTP2.length) === HTTP2 ? this.#behind.grpc() : this.#behind.http()
    const node = net.connect({ port, host: '127.0.0.1', noDelay: true })
    this.#node = node
    node.on('error', () => {})
    node.on('close', () => client.end())
    node.write(first)
    this.#pump(client, node)
    this.#pump(node, client)
    if (this.#frozen) node.pause()
  }

  #pump(from: net.Socket, to: net.Socket): void {
    from.on('data', (bytes: Buffer) => {
      if (!to.write(bytes)) from.pause()
    })
    to.on('drain', () => {
      if (!this.#frozen) from.resume()
    })
    from.on('end', () => to.end())
  }
}
