// `scorebook master-key …`: shows which master keys encrypt the vault, and re-encrypts it under the current one.

import { randomBytes } from 'node:crypto'
import { type MasterSecrets, type SealingKey, sealingKeys } from '../credentials/master.ts'
import { type Config, readConfig } from '../server/config.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { keepMasterKeys, secretsFile } from '../stores/embedded/data-folder.ts'
import { openSealed } from '../stores/log-decorators/sealing/open.ts'
import { countByKey, type Reencrypted, reencrypt } from '../stores/log-decorators/sealing/reencrypt.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault } from './failure.ts'
import { withOwnStores } from './own-stores.ts'
import { formatInteger, progressBar } from './progress.ts'
import { type Terminal, withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

export function masterKeyCommands(shell: Shell): void {
  const group = shell.program
    .command('master-key')
    .description('show and rotate the master key, which encrypts all secrets')
  const status = group.command('status').description('how many secrets each master key encrypts (ids, never keys)')
  withExamples(status, 'master-key status')
  does(shell, status, async ({ terminal }) => {
    const config = readConfig(terminal.env)
    return withOwnStores(config, terminal, async ({ vault }, master) => statusAnswer(await countByKey(vault), master))
  })
  const rotate = group
    .command('rotate')
    .description(
      'seal all secrets under MASTER_KEY, opening them by MASTER_KEY_OLD; without MASTER_KEY, under a new one',
    )
  withExamples(rotate, 'master-key rotate')
  does(shell, rotate, async ({ terminal }) => {
    const config = readConfig(terminal.env)
    return withOwnStores(config, terminal, (stores, master) => rotated(stores, master, config, terminal))
  })
}

function statusAnswer(counts: ReadonlyMap<string, number>, master: MasterSecrets): Answer {
  const { current, previous } = sealingKeys(master)
  const old = previous.map(({ id }) => id).filter((id) => id !== current.id)
  const known = new Map([[current.id, 'present'], ...old.map((id) => [id, 'old'] as const)])
  const ids = [...new Set([...known.keys(), ...counts.keys()])].filter((id) => id !== '')
  const rows = ids.map((id) => ({ id, which: known.get(id) ?? 'not given', secrets: counts.get(id) ?? 0 }))
  const columns = [{ title: 'master key' }, { title: 'which' }, { title: 'secrets', align: 'right' as const }]
  const cells = rows.map(({ id, which, secrets }) => [id, which, formatInteger(secrets)])
  const left = rows.filter(({ which, secrets }) => which === 'old' && secrets > 0)
  const lost = rows.filter(({ which }) => which === 'not given')
  const advice = [
    ...(left.length > 0 ? ['', '`npx scorebook master-key rotate` seals them all under the present one.'] : []),
    ...(lost.length > 0
      ? ['', 'Secrets under a key that is not set cannot be decrypted: set it in MASTER_KEY_OLD.']
      : []),
  ]
  return {
    json: { keys: rows, buried: counts.get('') ?? 0 },
    lines: [...textTable(columns, cells, Number.POSITIVE_INFINITY), ...advice],
    exitCode: lost.length > 0 ? 1 : 0,
  }
}

async function rotated(
  stores: OpenedStores,
  master: MasterSecrets,
  config: Config,
  terminal: Terminal,
): Promise<Answer> {
  await openSealed(stores, sealingKeys(master), {})
  if (config.masterKey !== null) return sealedAnew(stores, master, terminal)
  if (config.servers !== null) {
    throw new CommandFault(
      'A server may be using this vault by the key in secrets.json, and would not know of another. Set MASTER_KEY to a new ' +
        'key (`openssl rand -base64 32`) and MASTER_KEY_OLD to the one in secrets.json, for the server too, and run this again.',
    )
  }
  // Resume an interrupted rotation. Keep both keys until no secret uses the old one.
  const { dataDir } = config
  const isBegun = master.previous.length > 0
  const changed = isBegun ? master : { current: randomBytes(32), previous: [master.current] }
  if (!isBegun) await keepMasterKeys(dataDir, changed)
  const answer = await sealedAnew(stores, changed, terminal)
  if (answer.exitCode !== 0) return answer
  await keepMasterKeys(dataDir, { current: changed.current, previous: [] })
  return { ...answer, lines: [...answer.lines, `${secretsFile(dataDir)} holds the new one: keep a copy.`] }
}

async function sealedAnew({ vault }: OpenedStores, master: MasterSecrets, terminal: Terminal): Promise<Answer> {
  const keys = sealingKeys(master)
  const counts = await countByKey(vault)
  const others = [...counts].filter(([id]) => id !== '' && id !== keys.current.id)
  const bar = progressBar(
    terminal,
    'Re-encrypting secrets',
    others.reduce((sum, [, count]) => sum + count, 0),
  )
  const done = await reencrypt(vault, keys, { moved: bar.add })
  bar.end()
  return doneAnswer(done, keys.current)
}

function doneAnswer({ reencrypted, foreign, damaged, isComplete }: Reencrypted, { id }: SealingKey): Answer {
  const broken =
    damaged === 0
      ? []
      : [`${formatInteger(damaged)} do not open under the key that they name: they were changed, and are lost.`]
  const json = {
    master_key: id,
    resealed: reencrypted,
    damaged,
    under_other_keys: Object.fromEntries(foreign),
    complete: isComplete,
  }
  const lines = [`${formatInteger(reencrypted)} secrets were re-encrypted under master key ${id}.`, ...broken]
  if (isComplete) {
    return { json, lines: [...lines, 'It encrypts all secrets now: no other key is needed.'], exitCode: 0 }
  }
  const reasons = [...foreign].map(
    ([other, count]) =>
      `${formatInteger(count)} are encrypted under master key ${other}: set it in MASTER_KEY_OLD, and run this again.`,
  )
  const beaten =
    'A process still encrypts with an old key. Set the new MASTER_KEY for every process, and run this again.'
  return { json, lines: [...lines, ...(reasons.length > 0 ? reasons : [beaten])], exitCode: 1 }
}
