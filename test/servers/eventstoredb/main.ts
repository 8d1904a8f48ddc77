// The test server as a separate process: prints its URL, ends on SIGTERM.
// npx tsx test/servers/eventstoredb/main.ts [--port N] [--data FILE] [--mem-db] [--system-events] [--system-links]

import { parseArgs } from 'node:util'
import { startEventStore } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    'mem-db': { type: 'boolean', default: false },
    'system-events': { type: 'boolean', default: false },
    'system-links': { type: 'boolean', default: false },
  },
})

const server = await startEventStore({
  port: Number(values.port),
  ...(values.data === undefined ? {} : { dataFile: values.data }),
  inMemory: values['mem-db'],
  systemEvents: values['system-events'],
  systemLinks: values['system-links'],
})
console.log(server.url)
process.once('SIGTERM', () => void server.stop('stop').then(() => process.exit(0)))
