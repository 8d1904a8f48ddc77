// Once a listener takes upgrades for one path, Node hands it every request that asks for one, of any path. Some HTTP
// clients ask for HTTP/2 with each first request: theirs are served as if they had not asked, which is what a server
// may do (RFC 9110, 7.8).

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Serves the request as one without Upgrade. `head` is what came after its headers. */
export function serveUnupgraded(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
