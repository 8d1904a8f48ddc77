// Records that the node itself writes: at its start, statistics, and links of the system projections. In $all they are
// between events of clients.

import { randomUUID } from 'node:crypto'
import type { Node } from './node.ts'
import { jsonRecord, type LogRecord, type Proposed } from './record.ts'

const none = (): void => {}

export function writeStartRecords({ journal, writer }: Node): void {
  if (journal.records.length === 0) {
    journal.addOne('$$$scavenges', jsonRecord(randomUUID(), '$metadata', '{"$maxAge":2592000}'))
  }
  journal.addOne('$epoch-information', jsonRecord(randomUUID(), '$epoch-information', '{}'))
  writer.afterCommit(none)
}

export function writeStatsRecord(node: Node): void {
  const stream = `$stats-127.0.0.1:${node.port()}`
  const stats = JSON.stringify({ 'proc-mem': process.memoryUsage.rss(), 'es-writer-checkpoint': node.journal.end })
  if (node.journal.stream(stream) === undefined) {
    node.journal.addOne(`$$${stream}`, jsonRecord(randomUUID(), '$metadata', '{"$maxAge":86400}'))
  }
  node.journal.addOne(stream, jsonRecord(randomUUID(), '$statsCollected', stats))
  node.writer.afterCommit(none)
}

/** Two links for each event of a client: by the category of its stream, and by its type. */
export function writeLinks({ journal, writer }: Node, records: readonly LogRecord[]): void {
  const own = records.filter((record) => !record.stream.startsWith('$'))
  if (own.length === 0) return
  for (const record of own) {
    const dash = record.stream.indexOf('-')
    if (dash > 0) journal.addOne(`$ce-${record.stream.slice(0, dash)}`, linkTo(record))
    journal.addOne(`$et-${record.type}`, linkTo(record))
  }
  writer.afterCommit(none)
}

const linkTo = (record: LogRecord): Proposed => ({
  id: randomUUID(),
  type: '$>',
  contentType: 'application/octet-stream',
  data: Buffer.from(`${record.revision}@${record.stream}`),
  metadata: new Uint8Array(0),
})
