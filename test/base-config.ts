// What a node is configured with in tests that are about something else: all in its data folder, on any free ports of the
// loopback, with no limits on rates, and silent. Each test lays over it what it is about.

import type { Config } from '../config.ts'
import { EMBEDDED } from './servers/places.ts'

export const BASE_CONFIG: Omit<Config, 'dataDir'> = {
  production: false,
  roles: new Set(['api', 'projector']),
  port: 0,
  host: '127.0.0.1',
  adminPort: 0,
  filesDir: null,
  smtpUrl: null,
  publicUrl: 'http://127.0.0.1',
  masterKey: null,
  logLevel: 'silent',
  rateLimits: 'off',
  ...EMBEDDED,
}
