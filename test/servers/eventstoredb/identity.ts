// A certificate authority, and its certificate for 127.0.0.1 and localhost, made by openssl in a folder that the caller
// removes.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Identity } from './front.ts'

export interface Authority {
  /** The file with the certificate of the authority, for `tlsCAFile`. */
  readonly caFile: string
  readonly identity: Identity
  remove(): void
}

/** `host`: the host name in the server's certificate. */
export function makeAuthority({ host = 'IP:127.0.0.1,DNS:localhost' }: { readonly host?: string } = {}): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'))
  const at = (name: string): string => join(folder, name)
  const openssl = (...words: string[]): void => {
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority', '-days', '2')
  openssl('req', ...curve, '-keyout', 'node.key', '-out', 'node.csr', '-subj', '/CN=eventstoredb-node')
  writeFileSync(at('node.ext'), `subjectAltName=${host}\n`)
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'node.ext']
  openssl('x509', '-req', '-in', 'node.csr', '-out', 'node.pem', ...signing)
  return {
    caFile: at('ca.pem'),
    identity: { key: readFileSync(at('node.key'), 'utf8'), cert: readFileSync(at('node.pem'), 'utf8') },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
