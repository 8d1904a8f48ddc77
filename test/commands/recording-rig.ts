// Commands on stores in memory, and what they recorded and published.

import { Refusal } from '../../domain/decider.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { signInRig } from './sign-in/sign-in-rig.ts'

/** For `expect`: the caller saw the present state. */
export const ALLOW = (): void => {}
/** For `expect`: the caller saw another state. */
export const REFUSE = (): never => {
  throw new Refusal('conflict', 'seen_another', 'The caller saw another one.')
}

export const typesOf = (events: readonly { stream: string; type: string }[]): string[] =>
  events.map(({ stream, type }) => `${stream} ${type}`)

export type RecordingRig = ReturnType<typeof recordingRig>

export function recordingRig() {
  const { log, vault, deps } = signInRig()
  const published: Noted[] = []
  let passed = 0

  /** The events since the last call, with what their metadata names. */
  async function recorded() {
    const all = await log.readAll(null, 1_000)
    const fresh = all.slice(passed)
    passed = all.length
    return fresh.map(({ stream, type, data, meta: { game, board, player } }) => ({
      stream,
      type,
      data,
      about: { game, ...(board === undefined ? {} : { board }), ...(player === undefined ? {} : { player }) },
    }))
  }

  const publish = async (changes: readonly Noted[]): Promise<void> => void published.push(...changes)
  return { log, vault, deps: { ...deps, publish }, published, recorded }
}
