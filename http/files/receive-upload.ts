// Receives an upload. Either exactly the announced number of bytes is stored durably before the answer, or nothing is.
// Bytes that are stored already are compared with those that come, so that a caller who lost the answer gets it again.

import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import { FilesFull } from '../../stores/contract/files.ts'
import { CutOff, type Link, WrongBytes } from '../../stores/contract/local-files.ts'
import { CLOSING_LINGER_MS } from '../connections/limits.ts'
import { timeByRoute } from '../connections/socket-faults.ts'
import { sendContinue } from '../pipeline/body.ts'
import type { Context } from '../pipeline/context.ts'
import { HttpRefusal } from '../problem.ts'
import type { Answer } from '../route.ts'
import { IDLE_MS, invalidLink, type LocalFileDeps, storeFull } from './deps.ts'
import { type UploadLock, withUploadLock } from './upload-lock.ts'

type PutLink = Extract<Link, { kind: 'put' }>

export async function receiveUpload(
  deps: LocalFileDeps,
  link: PutLink,
  { req: request, res: response }: Context,
): Promise<Answer> {
  const { upload, expected } = link
  const untimed = timeByRoute(request.socket)
  try {
    checkFraming(request, expected.size)
    await deps.files.checkUploads?.()
    const state = await deps.linkState(upload)
    if (state === 'gone') throw invalidLink()
    // Each attempt reserves disk space in a file of its own: several at once would let one link fill the disk.
    const areStored = await withUploadLock(deps, upload, request, async (lock) => {
      // The request that took over gets the answer.
      lock.lost.addEventListener('abort', () => request.destroy())
      sendContinue(request, response)
      const sending = { deps, link, request, lock }
      return state === 'open' ? receive(sending) : isRepeated(sending)
    })
    if (!areStored) throw new Refusal('conflict', 'already_stored', ALREADY_STORED)
    return { status: 200, body: {} }
  } catch (failure) {
    if (request.destroyed) response.statusCode = 400
    // The answer keeps the connection open if the rest of the body arrives by then.
    if (!request.complete) setTimeout(() => request.destroy(), CLOSING_LINGER_MS).unref()
    throw refusalOf(failure)
  } finally {
    untimed()
  }
}

function checkFraming({ headers }: IncomingMessage, size: number): void {
  const length = headers['content-length']
  if (length === undefined || headers['transfer-encoding'] !== undefined) {
    throw new HttpRefusal(
      411,
      'length_required',
      'Content-Length is missing. Send it, and do not use chunked encoding.',
    )
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const detail = 'The bytes are stored as sent. Leave out Content-Encoding.'
    throw new HttpRefusal(415, 'unsupported_media_type', detail, { 'Accept-Encoding': 'identity' })
  }
  if (Number(length) !== size) throw wrongSize(size)
}

/** A request that has the lock of its upload. */
interface Sending {
  readonly deps: LocalFileDeps
  readonly link: PutLink
  readonly request: IncomingMessage
  readonly lock: UploadLock
}

const ALREADY_STORED =
  'This upload has other bytes already. Complete it, or begin another upload for the bytes that you have.'

/** Stores the bytes, or finds that another request has stored some. Returns whether the stored ones are these. */
async function receive(sending: Sending): Promise<boolean> {
  const { deps, link, request, lock } = sending
  const { stored, areThese } = await watched(sending, (signal) =>
    deps.files.take(link.expected, request, signal, lock.confirm),
  )
  await deps.bytesStored(link.upload, stored).catch(async (refusal: unknown) => {
    // A request on another node may have recorded the same bytes meanwhile.
    if ((await deps.linkState(link.upload)) !== 'stored') throw refusal
  })
  return areThese
}

/** Reads the bytes without storing them. Returns whether they equal the stored ones. Throws 404 without any. */
async function isRepeated(sending: Sending): Promise<boolean> {
  const { deps, link, request } = sending
  const stored = await deps.files.stored(link.expected.blob, true)
  if (stored === null) throw invalidLink()
  return (await watched(sending, (signal) => digestOf(request, signal))) === stored.sha256
}

/** The sha256 of a body in hex. Rejects with CutOff if it ends early, and with the reason of the signal. */
function digestOf(request: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    const onData = (chunk: Buffer) => void hash.update(chunk)
    const onAbort = () => {
      request.off('data', onData)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    request.on('data', onData)
    request.once('end', () => resolve(hash.digest('hex')))
    request.once('error', () => reject(new CutOff()))
    request.once('close', () => reject(new CutOff()))
    if (request.destroyed) reject(new CutOff())
  })
}

/** Reads the body. Aborts when another request takes over, bytes stop arriving for `idleMs`, or the link expires. */
async function watched<Read>(
  { deps, link: { expected, expiresMs }, request, lock: { lost } }: Sending,
  read: (signal: AbortSignal) => Promise<Read>,
): Promise<Read> {
  const stop = new AbortController()
  lost.addEventListener('abort', () => stop.abort(lost.reason))
  const { idleMs = IDLE_MS } = deps
  let received = request.socket.bytesRead
  let stillMs = 0
  const everyMs = Math.ceil(idleMs / 4)
  const watch = setInterval(() => {
    const { bytesRead } = request.socket
    // A request paused because the disk is slow is not idle.
    stillMs = bytesRead === received && !request.isPaused() ? stillMs + everyMs : 0
    received = bytesRead
    if (stillMs >= idleMs) stop.abort(tooSlow())
    if (deps.now() >= expiresMs) stop.abort(invalidLink())
  }, everyMs)
  try {
    return await read(stop.signal)
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
      'The bytes do not match the sha256 that was announced. Nothing was stored.',
    )
  }
  if (failure instanceof FilesFull) {
    return storeFull('Nothing was stored.')
  }
  return failure
}

const wrongSize = (size: number) =>
  new HttpRefusal(400, 'size_mismatch', `The upload must have exactly ${size} bytes. Nothing was stored.`)

const tooSlow = () =>
  new HttpRefusal(408, 'request_timeout', 'The bytes stopped arriving. Nothing was stored. Send them again.')
