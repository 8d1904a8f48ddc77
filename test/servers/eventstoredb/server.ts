// An EventStoreDB for tests. It speaks the gRPC protocol as a real node of 23.10 was observed to, keeps its log in
// memory or in a file, and can fail in every way that a real node was observed to fail.

import { randomUUID } from 'node:crypto'
import { Access } from './access.ts'
import { loadDataFile, openDataFile } from './data-file.ts'
import { noFaults } from './faults.ts'
import { type Front, makeFront } from './front.ts'
import { type GrpcServer, startGrpc } from './grpc-server.ts'
import { type HttpInfo, startHttpInfo } from './http-info.ts'
import { Journal } from './journal.ts'
import { type Node, startNode } from './node.ts'
import type { EventStoreOptions, EventStoreServer, RestartOptions } from './options.ts'
import { jsonRecord, type LogRecord, type Proposed } from './record.ts'
import { settingsOf } from './settings.ts'
import { Writer } from './writer.ts'

export type { EventStoreOptions, EventStoreServer } from './options.ts'

/** Starts a server on loopback; it accepts calls when the promise resolves. */
export async function startEventStore(options: EventStoreOptions = {}): Promise<EventStoreServer> {
  const settings = settingsOf(options)
  let journal = new Journal()
  if (settings.dataFile !== null) loadDataFile(settings.dataFile, journal)
  const faults = noFaults()
  const counters = { appends: 0, streamReads: 0 }
  const access = settings.users === null ? null : new Access(settings.users)
  let run: { readonly node: Node; readonly grpc: GrpcServer; readonly http: HttpInfo; stats?: NodeJS.Timeout } | null =
    null
  const port = (): number => front.port()
  const front: Front = makeFront(
    settings.port,
    { grpc: () => run?.grpc.port ?? 0, http: () => run?.http.port ?? 0 },
    settings.identity,
  )

  const start = async (notReadyMs: number): Promise<void> => {
    const file = settings.dataFile === null ? null : openDataFile(settings.dataFile)
    const writer = new Writer(journal, file, settings.flushMs)
    const readyAtMs = Date.now() + notReadyMs
    const node = startNode({ settings, faults, journal, writer, counters, port, access, membership: null, readyAtMs })
    writer.onCommit = (records) => {
      for (const subscription of [...node.subscriptions]) subscription.committed(records)
      if (settings.systemLinks) writeLinks(node, records)
    }
    run = { node, grpc: await startGrpc(node), http: await startHttpInfo(node) }
    await front.listen()
    if (settings.systemEvents) writeStartRecords(node)
    if (settings.statsEveryMs > 0) run.stats = setInterval(() => writeStatsRecord(node), settings.statsEveryMs)
  }

  const stop = async (by: RestartOptions['by'] = 'kill'): Promise<void> => {
    if (run === null) return
    const { node, grpc, http, stats } = run
    run = null
    clearInterval(stats)
    await front.refuse()
    front.thaw()
    if (by === 'stop') {
      for (const call of [...node.openCalls]) call.endByStop()
      await grpc.end()
      front.end()
    }
    node.running = false
    front.cut()
    grpc.kill()
    http.stop()
    // Accepted and uncommitted appends are stored without an answer, as a kill may do.
    node.writer.close()
    if (settings.inMemory) journal = new Journal()
  }

  const running = (): Node => {
    if (run === null) throw new Error('the server is stopped: restart() it first')
    return run.node
  }

  await start(0)
  return {
    url: `esdb://127.0.0.1:${port()}?tls=${settings.identity !== null}`,
    port: port(),
    stop,
    restart: async ({ by = 'kill', notReadyMs = 0 } = {}) => {
      await stop(by)
      await start(notReadyMs)
    },
    loseAnswers: (count) => {
      faults.loseAnswers = count
    },
    loseRequests: (count) => {
      faults.loseRequests = count
    },
    conflictOnce: () => {
      faults.conflicts = 1
    },
    slow: (ms) => {
      faults.delayMs = ms
    },
    cut: () => front.cut(),
    freeze: () => front.freeze(),
    thaw: () => front.thaw(),
    stall: (also) => {
      faults.stallNew = also === 'new'
      for (const subscription of running().subscriptions) subscription.silent = true
    },
    unstall: () => {
      faults.stallNew = false
      for (const subscription of running().subscriptions) {
        subscription.silent = false
        subscription.go()
      }
    },
    refuse: () => front.refuse(),
    accept: () => front.listen(),
    grant: (user, right) => access?.grant(user, right),
    withdraw: (user, right) => access?.withdraw(user, right),
    writeStats: () => writeStatsRecord(running()),
    counts: () => ({
      subscriptions: run?.node.subscriptions.size ?? 0,
      appends: counters.appends,
      streamReads: counters.streamReads,
      connections: front.connections(),
    }),
  }
}

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
