// Connects to 127.0.0.1 as the log does, and prints `connected` or the code of the error. Arguments: port, certificate.

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { channelCredentials } from '../../stores/eventstoredb/channel.ts'
import type { Server } from '../../stores/eventstoredb/server.ts'

const [port = '', file = ''] = process.argv.slice(2)
const given: Pick<Server, 'credentials'> = { credentials: { rootCertificate: readFileSync(file) } }
const connector = channelCredentials(given as Server)._createSecureConnector(
  { scheme: 'dns', path: `127.0.0.1:${port}` },
  {},
)
const socket = connect(Number(port), '127.0.0.1')
try {
  await connector.connect(socket)
  process.stdout.write('connected')
} catch (error) {
  process.stdout.write((error as NodeJS.ErrnoException).code ?? String(error))
}
process.exit()
