// A client that writes bytes unchanged and reads on command, for input that HTTP libraries never send.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  readonly socket: Socket
  /** Everything read so far. */
  text(): string
  /** Resolves once `text` is true for everything read so far; rejects if the connection ends before. */
  until(text: (text: string) => boolean): Promise<string>
  /** Resolves with everything read, once the connection has ended in any way. */
  readonly ended: Promise<string>
}

/** `localAddress`: of 127.0.0.0/8, to appear as another client than 127.0.0.1. */
export async function openRaw(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const chunks: Buffer[] = []
  const text = () => Buffer.concat(chunks).toString('latin1')
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text())))
  await Promise.race([once(socket, 'connect'), ended])
  const until = (isThere: (text: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        if (!isThere(text())) return
        socket.off('data', check)
        resolve(text())
      }
      socket.on('data', check)
      void ended.then(() => reject(new Error(`the connection ended after ${text()}`)))
      check()
    })
  return { socket, text, until, ended }
}

/** The status codes of all answers that a connection read, in order. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))

export const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
