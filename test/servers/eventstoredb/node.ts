// The state of one run of the server: the log survives it, state in memory does not.

import type { Metadata, ServiceError } from '@grpc/grpc-js'
import type { Access, Right } from './access.ts'
import { type Faults, held, takeOne } from './faults.ts'
import type { Journal } from './journal.ts'
import type { Membership } from './membership.ts'
import { RecentIds } from './recent-ids.ts'
import type { LogRecord } from './record.ts'
import { handlerThrew, notReady } from './refusals.ts'
import type { Settings } from './settings.ts'
import type { Subscription } from './subscription.ts'
import type { Writer } from './writer.ts'

/** A running call that can be ended as a stopping node ends it. */
export interface OpenCall {
  endByStop(): void
}

export interface Node {
  readonly settings: Settings
  readonly faults: Faults
  readonly journal: Journal
  readonly writer: Writer
  readonly recent: RecentIds
  readonly subscriptions: Set<Subscription>
  readonly openCalls: Set<OpenCall>
  /** Number of further copies of an append that arrived during its commit, by its last event. */
  readonly copies: WeakMap<LogRecord, number>
  readonly counters: { appends: number; streamReads: number }
  /** The port of clients. */
  readonly port: () => number
  /** Its role in its cluster; null: a single node. */
  readonly membership: Membership | null
  /** The rights of users; null: everybody may do everything. */
  readonly access: Access | null
  /** Unix milliseconds until which it is not ready. */
  readyAtMs: number
  /** False once it is stopped: nothing is written or answered any more. */
  running: boolean
}

export const isReady = (node: Node): boolean => Date.now() >= node.readyAtMs

export function startNode(parts: Omit<Node, 'recent' | 'subscriptions' | 'openCalls' | 'copies' | 'running'>): Node {
  return {
    ...parts,
    recent: new RecentIds(parts.settings.rememberedIds),
    subscriptions: new Set(),
    openCalls: new Set(),
    copies: new WeakMap(),
    running: true,
  }
}

/** Waits for the configured delay, then acts unless the server or the caller is gone. */
export function whenHeld(node: Node, cancelled: () => boolean, act: () => void): void {
  held(node.faults, () => {
    if (node.running && !cancelled()) act()
  })
}

/** Calls back once the call has ended for any reason. */
export function whenOver(call: { on(event: string, listener: () => void): unknown }, act: () => void): void {
  call.on('cancelled', act)
  call.on('finish', act)
}

/** The reason to refuse a call before its content is checked; null: none. */
export function refusalOfCall(node: Node, metadata: Metadata, right: Right): ServiceError | null {
  const denied = node.access?.refusal(metadata, right) ?? null
  if (denied !== null) return denied
  if (String(metadata.get('requires-leader')[0]) === 'true') {
    const refused = node.membership?.refusalToLead() ?? null
    if (refused !== null) return refused
  }
  if (!isReady(node)) return notReady()
  return takeOne(node.faults, 'throws') ? handlerThrew() : null
}
