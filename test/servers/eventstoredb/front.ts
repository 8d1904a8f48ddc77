// The port that clients connect to. It hands bytes through to the node behind it, so that a connection can be cut, or
// frozen with all that runs over it, without the node's doing.

import net from 'node:net'
import { freePort } from '../../free-port.ts'

/** The first bytes of a connection that speaks HTTP/2, and so gRPC. */
const HTTP2 = 'PRI'
/** So often another process may have been faster in taking a port. */
const TRIES = 5

export interface Front {
  /** Opens the port; the one it had, where it was open before. */
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
export interface Behind {
  readonly grpc: () => number
  readonly http: () => number
}

export function makeFront(wanted: number, behind: Behind): Front {
  const links = new Set<Link>()
  let port = wanted
  let frozen = false
  let server: net.Server | null = null
  const accept = (client: net.Socket): void => {
    const link = new Link(client, behind, () => links.delete(link))
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

/** One connection of a client and the one behind it. */
class Link {
  readonly #client: net.Socket
  readonly #behind: Behind
  readonly #gone: () => void
  #node: net.Socket | null = null
  #frozen = true

  constructor(client: net.Socket, behind: Behind, gone: () => void) {
    this.#client = client
    this.#behind = behind
    this.#gone = gone
    client.on('error', () => {})
    client.on('close', () => {
      gone()
      this.#node?.destroy()
    })
    client.once('data', (first: Buffer) => this.#connect(first))
  }

  freeze(): void {
    this.#frozen = true
    this.#client.pause()
    this.#node?.pause()
  }

  /**
   * A process that goes on finds all that came meanwhile at once, also that a caller gave
   * up: so it is handed on at once.
   */
  thaw(): void {
    this.#frozen = false
    this.#node?.cork()
    setImmediate(() => setImmediate(() => this.#node?.uncork()))
    this.#client.resume()
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
    this.#client.end()
    this.#node?.end()
  }

  #connect(first: Buffer): void {
    const port = first.toString('latin1', 0, HTTP2.length) === HTTP2 ? this.#behind.grpc() : this.#behind.http()
    const node = net.connect({ port, host: '127.0.0.1', noDelay: true })
    this.#node = node
    node.on('error', () => {})
    node.on('close', () => this.#client.end())
    node.write(first)
    this.#pump(this.#client, node)
    this.#pump(node, this.#client)
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
