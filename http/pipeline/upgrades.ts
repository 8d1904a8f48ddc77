// Once a listener takes upgrades for one path, Node hands it every request that asks for one, of any path. Some HTTP
// clients ask for HTTP/2 with each first request: theirs are served as if they had not asked, which is what a server
// may do (RFC 9110, 7.8), and so is what they sent after it.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { connectionOf } from '../connections/http-connection.ts'
import { PARSED_BY_UPGRADE } from '../connections/limits.ts'
import { countParsed } from '../connections/parse-counter.ts'

/** Listeners that Node's server leaves on a socket after an upgrade, and adds again with the next parser. */
const LEFT_BEHIND = ['pause', 'resume'] as const

/** Serves the request as one without Upgrade. `head` is what came after its headers. */
export function serveUnupgraded(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  // Node has taken its own listeners away, and this socket may fail before it is handed back.
  const ignore = () => {}
  socket.on('error', ignore)
  const handBack = () => {
    socket.off('error', ignore)
    if (socket.destroyed) return
    for (const event of LEFT_BEHIND) socket.removeAllListeners(event)
    socket.unshift(Buffer.concat([headOf(request), head]))
    // Before other listeners see the connection: they may pause it, and Node reads the unshifted bytes in the next tick.
    socket.resume()
    server.emit('connection', socket)
  }
  // Two parsers would answer out of order, as neither knows of the other's requests.
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
