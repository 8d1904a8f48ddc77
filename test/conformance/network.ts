// A fetch whose next requests meet the given faults.

import type { Fault } from './cases.ts'

export function faultyFetch() {
  let faults: Fault[] = []
  const faulty: typeof fetch = async (input, init) => {
    const fault = faults.shift()
    if (fault === undefined) return fetch(input, init)
    if (fault === 'lost request') throw new TypeError('lost')
    if (fault === 'lost answer') {
      await (await fetch(input, init)).arrayBuffer()
      throw new TypeError('lost')
    }
    const { status, code, retry_after: after } = fault
    const body = JSON.stringify({ status, code, detail: 'a fault of the test' })
    const headers = {
      'Content-Type': 'application/problem+json',
      ...(after === null ? {} : { 'Retry-After': `${after}` }),
    }
    return new Response(body, { status, headers })
  }
  return {
    fetch: faulty,
    next: (given: readonly Fault[]) => {
      faults = [...given]
    },
    left: () => faults.length,
  }
}
