// The S3 client with limits: number of tries, time per try, and total time.

import { S3Client } from '@aws-sdk/client-s3'
import type { Address } from './address.ts'
import { away } from './faults.ts'

/** One answer, and the connection before it. */
const TRY_MS = 4_000
const CONNECT_MS = 2_000
/** Of a call with all its tries, which the client makes where the store is away, or says that it is busy. */
const ANSWER_MS = 8_000
const TRIES = 3
const CONNECTIONS = 64

/** `use` is given the signal that ends its calls. */
export type Call = <Answer>(use: (abortSignal: AbortSignal) => Promise<Answer>) => Promise<Answer>

export function createClient({ endpoint, region, inPath, accessKeyId, secretAccessKey }: Address): S3Client {
  return new S3Client({
    endpoint: endpoint.href,
    region,
    forcePathStyle: inPath,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: TRIES,
    retryMode: 'standard',
    // Not every store knows the checksums that are added otherwise.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: TRY_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
    // Else these are looked for in the environment and in files of the home folder.
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    userAgentAppId: 'scorebook',
  })
}

/** Calls as they settle in time. */
export const inTime: Call = (use) => use(AbortSignal.timeout(ANSWER_MS))

/** The same, rejecting with StoreUnavailable where the store cannot be used. */
export const reportingUnavailable =
  (shown: string): Call =>
  (use) =>
    inTime(use).catch((failure: unknown) => {
      throw away(failure, shown)
    })
