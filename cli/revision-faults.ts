// Gaps and duplicates in the revisions of a log, as text, with the remedy.

import { type RevisionFaults, revisionFaultText } from '../domain/stream-revisions.ts'
import { formatInteger } from './progress.ts'
import { printable } from './terminal.ts'

export function faultsCounted({ faults, found }: RevisionFaults): string {
  const streams = new Set(faults.map(({ stream }) => stream)).size
  const inStreams = `${found > faults.length ? 'at least ' : ''}${formatInteger(streams)} ${streams === 1 ? 'stream' : 'streams'}`
  return `${formatInteger(found)} ${found === 1 ? 'gap or duplicate' : 'gaps and duplicates'} in the revisions of ${inStreams}`
}

export const faultLines = ({ faults }: RevisionFaults, max: number): string[] =>
  faults.slice(0, max).map((fault) => `${printable(fault.stream)}  ${revisionFaultText(fault)}`)

/** `invocation`: as in `Target`. */
export const repairAdvice = (invocation: string): string =>
  `Stop the server. \`${invocation} history repair --dry-run\` shows the repair, and without --dry-run it is made.`
