// All scripted cases and all vectors that a client signs, through one driver against one server.

import { readFileSync } from 'node:fs'
import { type Client, connect } from '../../clients/javascript/connect.ts'
import type { ApiKey } from '../../clients/javascript/signing.ts'
import { readSuite, SUITES } from './cases.ts'
import type { Driver, Signing } from './driver.ts'
import { type Outcome, runSuite } from './run-suite.ts'

export interface Report {
  readonly name: string
  /** Why it was not run; null if it was. */
  readonly skipped: string | null
  readonly outcomes: readonly Outcome[]
}

export interface Run {
  readonly server: string
  readonly operatorKey: ApiKey
  readonly driver: Driver
}

/** Calls `onReport` after each file. */
export async function runAll({ server, operatorKey, driver }: Run, onReport: (report: Report) => void): Promise<void> {
  const operator = await connect({ baseUrl: server, key: operatorKey })
  onReport(await signed(driver))
  for (const name of SUITES) onReport(await ofSuite(name, server, operator, driver))
}

async function ofSuite(
  name: (typeof SUITES)[number],
  server: string,
  operator: Client,
  driver: Driver,
): Promise<Report> {
  const suite = readSuite(name)
  if (name === 'rooms' && !driver.supports.has('rooms'))
    return { name, skipped: `the client has no rooms: ${suite.cases.length} cases`, outcomes: [] }
  return { name, skipped: null, outcomes: await runSuite(suite, server, operator, driver) }
}

type Vector = Signing & { readonly name: string; readonly message: string; readonly signature: string }

const HANDSHAKE = new URL('../../docs/vectors/handshake.json', import.meta.url)

async function signed(driver: Driver): Promise<Report> {
  const file: Readonly<Record<'hmac-sha256' | 'ed25519', readonly Vector[]>> = JSON.parse(
    readFileSync(HANDSHAKE, 'utf8'),
  )
  const vectors = [...file['hmac-sha256'], ...file.ed25519]
  const name = 'handshake'
  if (!driver.supports.has('sign'))
    return { name, skipped: `the driver does not sign: ${vectors.length} vectors`, outcomes: [] }
  const outcomes: Outcome[] = []
  for (const { name, secret, private_key, request_id, nonce, unix_ts, permissions, message, signature } of vectors) {
    const made = await driver
      .sign({ secret, private_key, request_id, nonce, unix_ts, permissions })
      .catch((error: Error) => error)
    const isEqual = !(made instanceof Error) && made.message === message && made.signature === signature
    const failure = made instanceof Error ? made.message : `signed ${JSON.stringify(made)}`
    outcomes.push({ name, failure: isEqual ? null : failure })
  }
  return { name, skipped: null, outcomes }
}
