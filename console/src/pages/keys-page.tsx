import { useState } from 'preact/hooks'
import type { Key } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { PageHead } from '../components/page-head.tsx'
import { SearchIfLong } from '../components/search-field.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { IssueKey } from '../keys/issue-key.tsx'
import { KeyDialogs, type OpenKeyDialog } from '../keys/key-dialogs.tsx'
import { KeyTable } from '../keys/key-table.tsx'
import { showKey } from '../keys/shown-key.tsx'
import { keysOf } from '../lists.ts'
import { typedText, wholeNumber } from '../parameters.ts'
import { searchedPage } from '../rows-of-pages.ts'
import type { Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const EVERY_MS = 15_000
const SHOWN = { search: typedText(), offset: wholeNumber() }

/** The keys of the game. For the operator the calls have their own token: one of a game manages no keys. */
export function KeysPage({ session: { keysApi, mayManageKeys, game } }: { readonly session: Session }) {
  const [{ search, offset }, setShown] = useAddress(SHOWN)
  const [isIssuing, setIssuing] = useState(false)
  const [dialog, setDialog] = useState<OpenKeyDialog | null>(null)
  const needed = `gm:${game ?? '<game>'}:keys`
  const isPermitted = game !== null && mayManageKeys
  const read = () =>
    searchedPage({
      search,
      offset,
      limit: LIMIT,
      read: keysOf(keysApi, game ?? ''),
      texts: ({ name, prefix }: Key) => [name, prefix],
    })
  const keys = useLoad(isPermitted ? `keys ${search} ${offset}` : null, read, {
    everyMs: EVERY_MS,
    keeps: true,
    tags: ['key'],
  })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/keys/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('keys', [game, { limit: LIMIT, offset }]),
  }
  return (
    <>
      <PageHead title={texts.pages.keys} about={texts.keys.about} call={isPermitted ? call : undefined}>
        {isPermitted && (
          <ActionButton look="primary" onAct={() => setIssuing(true)}>
            {texts.keys.issue}
          </ActionButton>
        )}
      </PageHead>
      {isPermitted ? (
        <>
          <SearchIfLong page={keys.value} search={search} onSearch={(text) => setShown({ search: text, offset: 0 })} />
          <Shown of={keys}>
            {(page) =>
              page.count === 0 ? (
                <Empty title={search === '' ? texts.keys.none : texts.keys.noMatch} />
              ) : (
                <KeyTable page={page} onOpen={setDialog} onOffset={(next) => setShown({ offset: next })} />
              )
            }
          </Shown>
        </>
      ) : (
        <NoPermission needed={needed} />
      )}
      {game !== null && isIssuing && (
        <IssueKey
          api={keysApi}
          game={game}
          onIssued={(made) => showKey(made, game)}
          onClose={() => setIssuing(false)}
        />
      )}
      {game !== null && dialog !== null && (
        <KeyDialogs api={keysApi} game={game} open={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  )
}
