// What Node can do at most with downloads: a file from the page cache to the socket in large pieces, and nothing else. It cannot
// send a file without copying it twice. The size and the port come by environment.

import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'

const PIECE_BYTES = 1_048_576

const size = Number(process.env.BYTES)
const file = await open(process.env.FILE ?? '', 'w+')
await file.write(Buffer.alloc(size, 'any bytes do'))
const pieces: Buffer[] = []

async function send(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Length': size })
  for (let at = 0; at < size; ) {
    const piece = pieces.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
    const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, size - at), at)
    at += bytesRead
    await new Promise((taken) => response.write(piece.subarray(0, bytesRead), taken))
    pieces.push(piece)
  }
  response.end()
}

createServer((_, response) => void send(response)).listen(Number(process.env.PORT), '127.0.0.1')
