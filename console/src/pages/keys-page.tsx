import { useState } from 'preact/hooks'
import type { Key, MadeKey, Page } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Pager } from '../components/paged-table.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { IssueKey } from '../keys/issue-key.tsx'
import { IssuedKey } from '../keys/issued-key.tsx'
import { KeyDialogs, type OpenKeyDialog } from '../keys/key-dialogs.tsx'
import { KeyTable } from '../keys/key-table.tsx'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const EVERY_MS = 15_000

/** The keys of the game. */
export function KeysPage({ session: { api, game } }: { readonly session: Session }) {
  const [offset, setOffset] = useState(0)
  const [isIssuing, setIssuing] = useState(false)
  const [made, setMade] = useState<MadeKey | null>(null)
  const [dialog, setDialog] = useState<OpenKeyDialog | null>(null)
  const needed = `gm:${game ?? '<game>'}:keys`
  const isPermitted = game !== null && may(needed)
  const query = { limit: LIMIT, offset }
  const read = (): Promise<Page<'keys', Key>> => api.keys(game ?? '', query)
  const keys = useLoad(isPermitted ? `keys ${offset}` : null, read, { everyMs: EVERY_MS, keeps: true })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/keys/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('keys', [game, query]),
  }
  const issued = (key: MadeKey) => {
    setMade(key)
    keys.reload()
  }
  return (
    <>
      <PageHead title={texts.pages.keys} about={texts.keys.about} call={isPermitted ? call : undefined}>
        <ActionButton look="primary" onAct={() => setIssuing(true)} needs={needed}>
          {texts.keys.issue}
        </ActionButton>
      </PageHead>
      {!isPermitted && <NoPermission needed={needed} />}
      {isPermitted && (
        <Shown of={keys}>
          {(page) => (
            <>
              <KeyTable keys={page.keys} onOpen={setDialog} />
              <Pager page={page} onOffset={setOffset} />
            </>
          )}
        </Shown>
      )}
      {game !== null && isIssuing && (
        <IssueKey api={api} game={game} onIssued={issued} onClose={() => setIssuing(false)} />
      )}
      {game !== null && made !== null && !isIssuing && (
        <IssuedKey made={made} game={game} onClose={() => setMade(null)} />
      )}
      {game !== null && dialog !== null && (
        <KeyDialogs api={api} game={game} open={dialog} onChange={keys.reload} onClose={() => setDialog(null)} />
      )}
    </>
  )
}
