// The seven rules of a folder: each level against each visitor, and what a folder shows and opens.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import {
  admits,
  type FolderRules,
  filesShown,
  isOpenTo,
  judge,
  LEVELS,
  type Level,
  nothingThere,
  REASON_TEXT,
  ROOT_RULES,
  RULES,
  rulesForNew,
  type Visitor,
} from '../../domain/folder-rules.ts'

const ADMIN: Visitor = { isAdmin: true, player: null }
const GUEST: Visitor = { isAdmin: false, player: null }
const ADA: Visitor = { isAdmin: false, player: 'ada' }
const EVE: Visitor = { isAdmin: false, player: 'eve' }

/** Nobody may do anything, except by the rules given. */
const rulesWith = (some: Partial<FolderRules>): FolderRules => ({
  list_folders: 'nobody',
  list_files: 'nobody',
  mkdir: 'nobody',
  create: 'nobody',
  read: 'nobody',
  overwrite: 'nobody',
  delete: 'nobody',
  ...some,
})

describe('a rule of a folder', () => {
  const VERDICTS: Readonly<Record<Level, readonly [Visitor, boolean, string][]>> = {
    anyone: [
      [GUEST, true, 'anyone'],
      [ADA, true, 'anyone'],
      [EVE, true, 'anyone'],
    ],
    player: [
      [GUEST, false, 'no_player'],
      [ADA, true, 'player'],
      [EVE, true, 'player'],
    ],
    creator: [
      [GUEST, false, 'no_player'],
      [ADA, true, 'creator'],
      [EVE, false, 'not_creator'],
    ],
    nobody: [
      [GUEST, false, 'nobody'],
      [ADA, false, 'nobody'],
      [EVE, false, 'nobody'],
    ],
  }
  for (const level of LEVELS) {
    it(`with the level ${level} admits whom its name says, and gives the reason`, () => {
      for (const [visitor, isAdmitted, reason] of VERDICTS[level]) {
        expect(judge(level, visitor, 'ada')).to.deep.equal({ isAdmitted, reason })
        expect(admits(level, visitor, 'ada')).to.equal(isAdmitted)
      }
    })

    it(`with the level ${level} admits an admin, by that reason`, () => {
      expect(judge(level, ADMIN, 'ada')).to.deep.equal({ isAdmitted: true, reason: 'admin' })
    })
  }

  it('with the level creator admits no player to what the tenant made', () => {
    expect(judge('creator', ADA, null)).to.deep.equal({ isAdmitted: false, reason: 'not_creator' })
    expect(judge('creator', GUEST, null)).to.deep.equal({ isAdmitted: false, reason: 'no_player' })
  })

  it('has a text for each reason', () => {
    expect(Object.keys(REASON_TEXT)).to.deep.equal([
      'admin',
      'anyone',
      'player',
      'creator',
      'nobody',
      'no_player',
      'not_creator',
    ])
    for (const text of Object.values(REASON_TEXT)) expect(text).to.match(/^the (token|rule) .{12,}/)
  })

  it('of a new bucket’s root admits anyone to list folders and read, and only creators to change files', () => {
    expect(ROOT_RULES).to.deep.equal({
      list_folders: 'anyone',
      list_files: 'creator',
      mkdir: 'nobody',
      create: 'nobody',
      read: 'anyone',
      overwrite: 'creator',
      delete: 'creator',
    })
    expect(Object.keys(ROOT_RULES)).to.deep.equal([...RULES])
  })
})

describe('a list of files', () => {
  const shown = (some: Partial<FolderRules>, visitor: Visitor, creator: string | null = 'ada') =>
    filesShown({ rules: rulesWith(some), creator }, visitor)

  it('shows all files to whom list_files admits', () => {
    expect(shown({ list_files: 'anyone' }, GUEST)).to.equal('all')
    expect(shown({ list_files: 'player' }, EVE)).to.equal('all')
    expect(shown({ list_files: 'creator' }, ADA)).to.equal('all')
    expect(shown({ list_files: 'nobody' }, ADMIN)).to.equal('all')
  })

  it('shows a player their own files where list_files is creator and create admits them', () => {
    expect(shown({ list_files: 'creator', create: 'player' }, EVE)).to.equal('own')
    expect(shown({ list_files: 'creator', create: 'anyone' }, EVE, null)).to.equal('own')
    expect(shown({ list_files: 'creator', create: 'creator' }, EVE)).to.equal(null)
    expect(shown({ list_files: 'creator', create: 'nobody' }, EVE)).to.equal(null)
  })

  it('shows nothing to a caller without a player, even where create admits anyone', () => {
    expect(shown({ list_files: 'creator', create: 'anyone' }, GUEST)).to.equal(null)
  })

  it('shows nothing where list_files admits nobody, even where create admits the player', () => {
    expect(shown({ list_files: 'nobody', create: 'anyone' }, EVE)).to.equal(null)
    expect(shown({ list_files: 'player', create: 'anyone' }, GUEST)).to.equal(null)
  })
})

describe('a folder with rules', () => {
  const isOpen = (some: Partial<FolderRules>, visitor: Visitor, hasOwnFiles = false) =>
    isOpenTo({ rules: rulesWith(some), creator: 'ada' }, visitor, hasOwnFiles)

  it('is closed to all but an admin where every rule admits nobody', () => {
    expect([GUEST, ADA, EVE, ADMIN].map((visitor) => isOpen({}, visitor, true))).to.deep.equal([
      false,
      false,
      false,
      true,
    ])
  })

  for (const rule of RULES) {
    it(`is open to anyone whom ${rule} admits`, () => {
      expect(isOpen({ [rule]: 'anyone' }, GUEST)).to.equal(true)
      expect(isOpen({ [rule]: 'player' }, GUEST)).to.equal(false)
      expect(isOpen({ [rule]: 'player' }, EVE)).to.equal(true)
    })
  }

  for (const rule of ['list_folders', 'list_files', 'mkdir', 'create'] as const) {
    it(`with ${rule} for the creator is open to the folder’s creator alone`, () => {
      expect(isOpen({ [rule]: 'creator' }, ADA)).to.equal(true)
      expect(isOpen({ [rule]: 'creator' }, EVE, true)).to.equal(false)
    })
  }

  for (const rule of ['read', 'overwrite', 'delete'] as const) {
    it(`with ${rule} for the creator is open to players who made a file in it`, () => {
      expect(isOpen({ [rule]: 'creator' }, EVE, true)).to.equal(true)
      expect(isOpen({ [rule]: 'creator' }, EVE, false)).to.equal(false)
      expect(isOpen({ [rule]: 'creator' }, ADA, false)).to.equal(false)
    })
  }

  it('gives a new folder inside it its rules for children, else its own', () => {
    const [rules, childRules] = [rulesWith({ read: 'anyone' }), rulesWith({ create: 'player' })]
    expect(rulesForNew({ rules, childRules })).to.equal(childRules)
    expect(rulesForNew({ rules, childRules: null })).to.equal(rules)
  })

  it('that is closed or absent is refused with one 404', () => {
    const refusal = nothingThere()
    expect(refusal).to.be.instanceOf(Refusal)
    expect([refusal.kind, refusal.code]).to.deep.equal(['not_found', 'not_found'])
    expect(refusal.message).to.match(/^There is nothing .*\.$/)
  })
})
