// Maps errors of the S3 client to store errors. Its own errors are not passed on, because they contain requests, and
// with those the key.

import { StoreUnavailable } from '../contract/faults.ts'

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

export const isMissing = (failure: unknown): boolean => faultOf(failure)?.status === 404

/** Maps errors of the store or the network to StoreUnavailable; returns others unchanged. */
export function away(failure: unknown, shown: string): unknown {
  const fault = faultOf(failure)
  return fault === null
    ? failure
    : new StoreUnavailable(`The S3 store at ${shown} cannot be used now: ${faultText(fault)}`)
}
