// Checks that the data folder is writable, private, and on a disk with free space.

import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Finding } from './doctor-finding.ts'
import { quoted } from './target.ts'

const MIB = 1024 * 1024
const DISK_FAIL_BYTES = 100 * MIB
const DISK_WARN_BYTES = 1024 * MIB
const OTHERS = 0o077

/** `isStore`: it contains the stores; otherwise only keys, and free disk space does not matter. */
export async function checkFolder(dataDir: string, isStore: boolean): Promise<Finding[]> {
  const name = 'data folder'
  const found = await stat(dataDir).catch(() => null)
  if (found === null) {
    const parent = dirname(resolve(dataDir))
    const detail = `${dataDir} does not exist yet: the first start creates it`
    return [await checkWritable(parent, { name, state: 'ok', detail }), ...(isStore ? [await checkDisk(parent)] : [])]
  }
  if (!found.isDirectory()) {
    return [{ name, state: 'fail', detail: `${dataDir} is not a folder`, fix: 'Set DATA_DIR to a folder.' }]
  }
  const opened = (found.mode & OTHERS) !== 0
  const fine: Finding = opened
    ? { name, state: 'warn', detail: `other users may read ${dataDir}`, fix: `chmod 700 ${quoted(dataDir)}` }
    : { name, state: 'ok', detail: isStore ? dataDir : `${dataDir}, which contains only keys` }
  const keys = [await checkWritable(dataDir, fine), await checkSecrets(dataDir)]
  return isStore ? [...keys, await checkDisk(dataDir)] : keys
}

/** `fine` if this user can write to the folder, otherwise a failure. */
async function checkWritable(folder: string, fine: Finding): Promise<Finding> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return fine
  } catch {
    const fix = 'Give the user that runs the server the folder (chown), or name another with DATA_DIR.'
    return { name: fine.name, state: 'fail', detail: `${folder} cannot be written by this user`, fix }
  }
}

async function checkSecrets(dataDir: string): Promise<Finding> {
  const name = 'secret files'
  const kept = await readdir(join(dataDir, 'keys')).catch(() => [])
  const files = ['secrets.json', 'operator.json', 'operator.json.unrecorded', ...kept.map((file) => join('keys', file))]
  const open: string[] = []
  for (const file of files) {
    const found = await stat(join(dataDir, file)).catch(() => null)
    if (found !== null && (found.mode & OTHERS) !== 0) open.push(join(dataDir, file))
  }
  if (open.length === 0) return { name, state: 'ok', detail: 'readable by their owner only' }
  const fix = `chmod 600 ${open.map(quoted).join(' ')}`
  return { name, state: 'fail', detail: `others may read ${open.join(', ')}`, fix }
}

async function checkDisk(folder: string): Promise<Finding> {
  const name = 'disk'
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${Math.floor(free / MIB).toLocaleString('en-US')} MiB free`
  if (free >= DISK_WARN_BYTES) return { name, state: 'ok', detail }
  const fix = 'Free disk space: a log that cannot grow rejects writes.'
  return { name, state: free < DISK_FAIL_BYTES ? 'fail' : 'warn', detail, fix }
}
