// An upload's bytes: exactly as many as were announced, durable before the answer, or none at all.

import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import { FilesFull } from '../../stores/contract/files.ts'
import { CutOff, type Link, WrongBytes } from '../../stores/contract/files-door.ts'
import { sendContinue } from '../pipeline/body.ts'
import type { Context } from '../pipeline/context.ts'
import { timeByRoute } from '../pipeline/socket-faults.ts'
import { HttpRefusal } from '../problem.ts'
import type { Answer } from '../route.ts'
import { IDLE_MS, invalidLink, type LocalFileDeps } from './deps.ts'
import { storeFull } from './store-full.ts'

/** How long what a refusal left unread is read away before the connection ends. */
const LINGER_MS = 5_000

type PutLink = Extract<Link, { kind: 'put' }>

/** `running`: the uploads whose bytes are coming in here just now. */
export async function receiveUpload(
  deps: LocalFileDeps,
  running: Set<string>,
  link: PutLink,
  { req: request, res: response }: Context,
): Promise<Answer> {
  const { upload, expected } = link
  const untimed = timeByRoute(request.socket)
  try {
    checkFraming(request, expected.size)
    if (!(await deps.isOpen(upload))) throw invalidLink()
    const { stored, areThese } = await oneAtATime(running, upload, () => {
      sendContinue(request, response)
      return taken(deps, link, request)
    })
    await deps.bytesStored(upload, stored)
    // Another request stored different bytes: for this caller the link is used up.
    if (!areThese) throw invalidLink()
    return { status: 200, body: {} }
  } catch (failure) {
    if (request.destroyed) response.statusCode = 400
    if (!request.complete) setTimeout(() => request.destroy(), LINGER_MS).unref()
    throw refusalOf(failure)
  } finally {
    untimed()
  }
}

function checkFraming({ headers }: IncomingMessage, size: number): void {
  const length = headers['content-length']
  if (length === undefined || headers['transfer-encoding'] !== undefined) {
    throw new HttpRefusal(411, 'length_required', 'Say how many bytes come: send Content-Length, and no chunks.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const detail = 'The bytes are kept as they come: leave out Content-Encoding.'
    throw new HttpRefusal(415, 'unsupported_media_type', detail, { 'Accept-Encoding': 'identity' })
  }
  if (Number(length) !== size) throw wrongSize(size)
}

/**
 * Each take holds room on the disk and a file of its own: with more than one for an
 * upload, one link would fill the disk.
 */
async function oneAtATime<T>(running: Set<string>, upload: string, take: () => Promise<T>): Promise<T> {
  // Nothing may be awaited between these two.
  if (running.has(upload)) throw new Refusal('conflict', 'upload_running', RUNNING)
  running.add(upload)
  try {
    return await take()
  } finally {
    running.delete(upload)
  }
}

const RUNNING =
  'Bytes of this upload are coming in already: send these again once those ended. Stopped ones are cut off soon.'

/** Takes the bytes for as long as they come and the link lasts. */
async function taken(deps: LocalFileDeps, { expected, expiresMs }: PutLink, request: IncomingMessage) {
  const stop = new AbortController()
  const { idleMs = IDLE_MS } = deps
  let read = request.socket.bytesRead
  let stillMs = 0
  const everyMs = Math.ceil(idleMs / 4)
  const watch = setInterval(() => {
    const { bytesRead } = request.socket
    // Held back by us, as the disk is slow, is not standing still.
    stillMs = bytesRead === read && !request.isPaused() ? stillMs + everyMs : 0
    read = bytesRead
    if (stillMs >= idleMs) stop.abort(tooSlow())
    if (deps.now() >= expiresMs) stop.abort(invalidLink())
  }, everyMs)
  try {
    return await deps.files.take(expected, request, stop.signal)
  } catch (failure) {
    throw failure instanceof CutOff ? wrongSize(expected.size) : failure
  } finally {
    clearInterval(watch)
  }
}

function refusalOf(failure: unknown): unknown {
  if (failure instanceof WrongBytes) {
    return new Refusal(
      'unprocessable',
      'checksum_mismatch',
      'These are not the bytes of the sha256 given. None are kept.',
    )
  }
  if (failure instanceof FilesFull) {
    return storeFull('None are kept.')
  }
  return failure
}

const wrongSize = (size: number) =>
  new HttpRefusal(400, 'size_mismatch', `The upload is of exactly ${size} bytes. None are kept.`)

const tooSlow = () =>
  new HttpRefusal(408, 'request_timeout', 'The bytes stopped coming. None are kept: send them again.')
