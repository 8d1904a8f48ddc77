// The vault file of an export can have any name that the disk accepts.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { writeVaultFile } from '../../portability/import/vault-file.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { newPath } from '../stores/folder.ts'

describe('the vault file', () => {
  it('accepts names of up to 255 bytes, and rejects longer ones before anything is written', async () => {
    const vault = await openVault(newPath('vault.sqlite'))
    const folder = mkdtempSync(join(tmpdir(), 'scorebook-vault-file-'))
    try {
      await writeVaultFile(join(folder, 'é'.repeat(127)), vault, 'installation')
      expect(readdirSync(folder)).to.deep.equal(['é'.repeat(127)])
      const refused = writeVaultFile(join(folder, 'é'.repeat(128)), vault, 'installation')
      const failure = await refused.then(String, (error: unknown) => error)
      expect(failure).to.be.instanceOf(StoresFault)
      expect(String(failure)).to.include('more than 255 bytes')
      expect(readdirSync(folder)).to.have.length(1)
    } finally {
      rmSync(folder, { recursive: true })
      await vault.close()
    }
  })
})
