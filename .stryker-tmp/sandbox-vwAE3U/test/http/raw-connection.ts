// A client that writes bytes as they are and reads on command: for what HTTP libraries never send.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  readonly socket: Socket
  /** Everything read so far. */
  text(): string
  /** Resolves once `text` is true of everything read so far; rejects when the connection ends before. */
  until(text: (text: string) => boolean): Promise<string>
  /** Resolves with everything read, once the connection has ended, in whatever way. */
  readonly ended: Promise<string>
}

/** `localAddress`: of 127.0.0.0/8, to be another client than 127.0.0.1. */
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
      const look = () => {
        if (!isThere(text())) return
        socket.off('data', look)
        resolve(text())
      }
      socket.on('data', look)
      void ended.then(() => reject(new Error(`the connection ended after ${text()}`)))
      look()
    })
  return { socket, text, until, ended }
}

/** The status codes of all answers in what a connection read, in their order. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))

export const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
