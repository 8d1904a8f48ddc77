// Serves requests with an Upgrade header that this server ignores. Once a listener handles upgrades for one path, Node
// passes it all upgrade requests. Some HTTP clients offer HTTP/2 with each first request; a server may ignore that (RFC
// 9110, 7.8), and must still answer this request and those after it.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { connectionOf, countParsed } from './http-connection.ts'
import { PARSED_BY_UPGRADE } from './limits.ts'

/** Listeners that Node leaves on a socket after an upgrade, and adds again with the next parser. */
const LEFT_BEHIND = ['pause', 'resume'] as const

/** Serves the request as if it had no Upgrade header. `head`: the bytes received after its headers. */
export function serveUnupgraded(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  // Node has removed its error listener, and the socket may fail before it is handed back.
  const ignore = () => {}
  socket.on('error', ignore)
  const handBack = () => {
    socket.off('error', ignore)
    if (socket.destroyed) return
    for (const event of LEFT_BEHIND) socket.removeAllListeners(event)
    socket.unshift(Buffer.concat([headOf(request), head]))
    // Before other listeners see the connection: they may pause it, and Node reads the unshifted bytes in the next
    // tick.
    socket.resume()
    server.emit('connection', socket)
  }
  // Two parsers at once would answer out of order.
  const connection = connectionOf(socket)
  if (connection === undefined) {
    handBack()
    return
  }
  if (head.length > 0) countParsed(socket, PARSED_BY_UPGRADE)
  connection.afterAnswersAlone(handBack)
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
