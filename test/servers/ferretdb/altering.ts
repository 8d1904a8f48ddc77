// A proxy for a real server that can change its answers: its self-description, and failures that it never has.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { BSON, type Document } from 'mongodb'

const OP_MSG = 2013
/** The offset of the document in an answer: after the header and flags, and in the older form also a cursor. */
const DOCUMENT_IN_MSG = 21
const DOCUMENT_IN_REPLY = 36

type Alter = (answer: Document) => Document | Promise<Document>

/**
 * Calls `use` with the URL of the proxy, which is closed afterwards. `alter` gets each answer and returns the one to
 * send (the same one: unchanged).
 */
export async function altering(url: string, alter: Alter, use: (url: string) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    client.pipe(upstream)
    void answers(upstream, client, alter).catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}

async function answers(from: Socket, to: Socket, alter: Alter) {
  let rest = Buffer.alloc(0)
  for await (const bytes of from) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0))
      rest = rest.subarray(message.length)
      to.write(await altered(message, alter))
    }
  }
}

async function altered(message: Buffer, alter: Alter): Promise<Buffer> {
  const start = message.readInt32LE(12) === OP_MSG ? DOCUMENT_IN_MSG : DOCUMENT_IN_REPLY
  const answer = BSON.deserialize(message.subarray(start))
  const instead = await alter(answer)
  if (instead === answer) return message
  const whole = Buffer.concat([message.subarray(0, start), BSON.serialize(instead)])
  whole.writeInt32LE(whole.length, 0)
  return whole
}
