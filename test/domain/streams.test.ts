// Every aggregate writes to streams with a listed prefix, and stream names are parsed into the ids they were made of.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { boardKeyStream } from '../../domain/board-key.ts'
import { bucketStream } from '../../domain/bucket.ts'
import { deletionsStream } from '../../domain/deleted-games.ts'
import { fileStream } from '../../domain/file.ts'
import { folderStream } from '../../domain/folder.ts'
import { gameStream } from '../../domain/game.ts'
import { keyStream } from '../../domain/key.ts'
import { boardStream } from '../../domain/leaderboard.ts'
import { loginStream, mailStream } from '../../domain/login.ts'
import { externalStream, playerStream } from '../../domain/player.ts'
import { quotaStream } from '../../domain/quota.ts'
import { scoreStream } from '../../domain/score.ts'
import { sessionStream } from '../../domain/session.ts'
import { slotsStream } from '../../domain/slots.ts'
import { idIn, idsIn, isKeyed, isNamed, STREAM_PREFIXES } from '../../domain/streams.ts'
import { uploadStream } from '../../domain/upload.ts'

const DOMAIN = fileURLToPath(new URL('../../domain', import.meta.url))

const OF_ONE: Readonly<Record<string, (id: string) => string>> = {
  'game-': gameStream,
  'key-': keyStream,
  'player-': playerStream,
  'session-': sessionStream,
  'board-': boardStream,
  'bucket-': bucketStream,
  'quota-': quotaStream,
  'upload-': uploadStream,
  'slots-': slotsStream,
  'deletions-': deletionsStream,
}
/** The second one is a digest under the root secret. */
const OF_TWO: Readonly<Record<string, (first: string, second: string) => string>> = {
  'external-': externalStream,
  'login-': loginStream,
  'mail-': mailStream,
  'folder-': folderStream,
  'file-': fileStream,
}

/** The second one is a text as callers send it. */
const OF_TEXT: Readonly<Record<string, (first: string, second: string) => string>> = { 'boardkey-': boardKeyStream }
const PAIRS = { ...OF_TWO, ...OF_TEXT }

describe('streams', () => {
  it('are named with a listed prefix, and every listed prefix is used', () => {
    const named = readdirSync(DOMAIN).flatMap((file) => {
      const text = readFileSync(join(DOMAIN, file), 'utf8')
      return [...text.matchAll(/\w*Stream = \([^)]*\): string => (.*)/g)].map(([, made]) => made)
    })
    const prefixes = named.map((made) => /^streamName\('([a-z]+[-_])', /.exec(made ?? '')?.[1])
    expect(prefixes.toSorted()).to.deep.equal([...STREAM_PREFIXES].toSorted())
  })

  it('have names that are parsed into the ids they were made of', () => {
    expect([...Object.keys(OF_ONE), ...Object.keys(PAIRS), 'lb_'].toSorted()).to.deep.equal(
      [...STREAM_PREFIXES].toSorted(),
    )
    for (const id of ['a2', 'ck_b3', 'sk_c-4']) {
      for (const [prefix, named] of Object.entries(OF_ONE)) {
        expect(named(id)).to.equal(`${prefix}${id}`)
        expect([idIn(named(id)), ...idsIn(named(id))]).to.deep.equal([id, id, ''])
      }
      for (const [prefix, named] of Object.entries(PAIRS)) {
        expect(named(id, 'd5')).to.equal(`${prefix}${id}.d5`)
        expect([idIn(named(id, 'd5')), ...idsIn(named(id, 'd5'))]).to.deep.equal([`${id}.d5`, id, 'd5'])
      }
    }
    expect(scoreStream('a2', 'b3')).to.equal('lb_a2-b3')
    expect(idIn(scoreStream('a2', 'b3'))).to.equal('a2-b3')
  })

  it('have other names under another root secret', () => {
    const keyed = Object.values(OF_TWO).map((named) => isKeyed(named('a2', 'd5')))
    expect(keyed).to.deep.equal(keyed.map(() => true))
    const plain = [
      ...Object.values(OF_ONE).map((named) => named('a2')),
      ...Object.values(OF_TEXT).map((named) => named('a2', 'd5')),
      scoreStream('a2', 'b3'),
    ]
    expect(plain.filter(isKeyed)).to.deep.equal([])
  })

  it('are recognised by their prefix', () => {
    const kinds = STREAM_PREFIXES.filter((prefix) => isNamed(bucketStream('a2'), prefix))
    expect(kinds).to.deep.equal(['bucket-'])
    expect(STREAM_PREFIXES.filter((prefix) => isNamed(boardStream('a2'), prefix))).to.deep.equal(['board-'])
    expect(STREAM_PREFIXES.filter((prefix) => isNamed(boardKeyStream('a2', 'b'), prefix))).to.deep.equal(['boardkey-'])
  })
})
