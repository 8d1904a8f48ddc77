// Maps errors of the S3 client to store errors. Its own errors are not passed on, because they contain requests, and
// with those the key.

import { StoreUnavailable } from '../contract/faults.ts'

interface Fault {
  /** The store's own word for it, or the network's. */
  readonly code: string
  /** Of the answer; null where none came. */
  readonly status: number | null
}

interface Thrown {
  readonly name?: unknown
  readonly code?: unknown
  readonly Code?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Null for what neither the store nor the way to it brought about: a fault of ours. */
export function faultOf(failure: unknown): Fault | null {
  if (!(failure instanceof Error)) return null
  const { name, code, Code, $metadata } = failure as Thrown
  const status = $metadata?.httpStatusCode ?? null
  const isWire = $metadata !== undefined || typeof code === 'string' || /^(Timeout|Abort)Error$/.test(String(name))
  if (!isWire) return null
  const said = [Code, code, name].find((one) => typeof one === 'string' && /^[\w.]{1,64}$/.test(one))
  return { code: String(said ?? 'unknown'), status }
}

export const told = ({ code, status }: Fault): string => (status === null ? code : `${code}, status ${status}`)

export const isMissing = (failure: unknown): boolean => faultOf(failure)?.status === 404

/** As StoreUnavailable what the store or the network brought about; all else as it is. */
export function away(failure: unknown, shown: string): unknown {
  const fault = faultOf(failure)
  return fault === null ? failure : new StoreUnavailable(`The S3 store at ${shown} cannot be used now: ${told(fault)}`)
}
