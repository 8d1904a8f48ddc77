// The S3 client with limits: number of tries, time per try, and total time.

import { S3Client } from '@aws-sdk/client-s3'
import { StoreUnavailable } from '../contract/faults.ts'
import type { Address } from './address.ts'

/** Milliseconds for one try, including the connection. */
const TRY_MS = 4_000
const CONNECT_MS = 2_000
/** Milliseconds for a call with all retries, which the client makes if the store is unavailable or busy. */
const ANSWER_MS = 8_000
const TRIES = 3
const CONNECTIONS = 64

/** `use` receives the signal that aborts its calls. */
export type Call = <Answer>(use: (abortSignal: AbortSignal) => Promise<Answer>) => Promise<Answer>

export function createClient({ endpoint, region, inPath, accessKeyId, secretAccessKey }: Address): S3Client {
  return new S3Client({
    endpoint: endpoint.href,
    region,
    forcePathStyle: inPath,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: TRIES,
    retryMode: 'standard',
    // By default the client adds checksums that not every store supports.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: TRY_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
    // Otherwise the client reads these from the environment and the home folder.
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    userAgentAppId: 'scorebook',
  })
}

/** Runs a call with a time limit. */
export const withCallTimeout: Call = (use) => use(AbortSignal.timeout(ANSWER_MS))

/** The same, rejecting with StoreUnavailable if the store cannot be used. */
export const reportingUnavailable =
  (shown: string): Call =>
  (use) =>
    withCallTimeout(use).catch((failure: unknown) => {
      throw away(failure, shown)
    })

interface Fault {
  /** Error code of the store or the network. */
  readonly code: string
  /** HTTP status; null without an answer. */
  readonly status: number | null
}

interface Thrown {
  readonly name?: unknown
  readonly code?: unknown
  readonly Code?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Null if neither the store nor the network caused the error: it is a bug. */
export function faultOf(failure: unknown): Fault | null {
  if (!(failure instanceof Error)) return null
  const { name, code, Code, $metadata } = failure as Thrown
  const status = $metadata?.httpStatusCode ?? null
  const isWire = $metadata !== undefined || typeof code === 'string' || /^(Timeout|Abort)Error$/.test(String(name))
  if (!isWire) return null
  const reported = [Code, code, name].find((one) => typeof one === 'string' && /^[\w.]{1,64}$/.test(one))
  return { code: String(reported ?? 'unknown'), status }
}

export const faultText = ({ code, status }: Fault): string => (status === null ? code : `${code}, status ${status}`)

/** For a `catch`: null if there is no such object; throws others unchanged. */
export function unlessMissing(failure: unknown): null {
  if (faultOf(failure)?.status === 404) return null
  throw failure
}

/**
 * Maps errors of the store or the network to StoreUnavailable; returns others unchanged. The client's own errors are
 * not passed on, because they contain requests, and with those the key.
 */
export function away(failure: unknown, shown: string): unknown {
  const fault = faultOf(failure)
  return fault === null
    ? failure
    : new StoreUnavailable(`The S3 store at ${shown} cannot be used now: ${faultText(fault)}`)
}
