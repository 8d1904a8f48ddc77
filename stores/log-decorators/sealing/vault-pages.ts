import type { Secret, SecretReference, VaultStore } from '../../contract/vault.ts'

/** All secrets, `limit` per read. Secrets that are written meanwhile may be missing. */
export async function* vaultPages(vault: Pick<VaultStore, 'scan'>, limit: number): AsyncIterable<readonly Secret[]> {
  for (let after: SecretReference | null = null; ; ) {
    const page: readonly Secret[] = await vault.scan(after, limit)
    yield page
    if (page.length < limit) return
    after = page.at(-1) ?? null
  }
}
