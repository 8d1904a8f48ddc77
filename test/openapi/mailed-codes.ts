// Reads the sign-in codes that the server mailed, each mail once.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeIn } from '../front-door/mails.ts'

export interface MailedCodes {
  /** By address; the latest code. */
  readonly codes: ReadonlyMap<string, string>
  read(): Promise<void>
}

export function openMailedCodes(dataDir: string): MailedCodes {
  const folder = join(dataDir, 'mail')
  const seen = new Set<string>()
  const codes = new Map<string, string>()
  return {
    codes,
    read: async () => {
      for (const file of (await readdir(folder).catch(() => [])).toSorted()) {
        if (seen.has(file)) continue
        // The server deletes mails whose code has expired.
        const mail = await readFile(join(folder, file), 'utf8').catch(() => '')
        const [email, code] = [/^To: (\S+)\r?$/m.exec(mail)?.[1], codeIn(mail)]
        // A mail is there before all of it is.
        if (email === undefined || code === '') continue
        seen.add(file)
        codes.set(email, code)
      }
    },
  }
}
