// What one run of the server works with: the log outlives it, what is remembered in memory does not.

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

/** A call that goes on, and can be ended as a node being stopped ends it. */
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
  /** How many further copies of an append came while it was being committed, by its last event. */
  readonly copies: WeakMap<LogRecord, number>
  readonly counters: { appends: number }
  /** The port clients know. */
  readonly port: () => number
  /** What it is in its cluster; null: it is alone. */
  readonly membership: Membership | null
  /** Who may do what; null: anybody may do everything. */
  readonly access: Access | null
  /** Unix milliseconds until which it is not ready. */
  readyAtMs: number
  /** Becomes false when it is stopped: nothing is written or answered any more. */
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

/** Waits out the time every call is held, then acts unless the server or the caller has gone. */
export function whenHeld(node: Node, cancelled: () => boolean, act: () => void): void {
  held(node.faults, () => {
    if (node.running && !cancelled()) act()
  })
}

/** Calls back once the call has ended, in whichever way. */
export function whenOver(call: { on(event: string, listener: () => void): unknown }, act: () => void): void {
  call.on('cancelled', act)
  call.on('finish', act)
}

/** Why a call is refused before anything of it is looked at; null: it is not. */
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
