import { useEffect, useState } from 'preact/hooks'
import { Loading } from './components/states.tsx'
import { TimeTip } from './components/time.tsx'
import { Frame } from './frame.tsx'
import { ShownKeyDialog } from './keys/shown-key.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { login } from './session.ts'

/** The pages, or signing in where nobody is signed in. The address stays, so that signing in leads to its page. */
export function App({ resuming }: { readonly resuming: Promise<void> }) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    void resuming.finally(() => setReady(true))
  }, [resuming])
  return (
    <>
      {!isReady ? (
        <div class="center">
          <Loading />
        </div>
      ) : login.value === null ? (
        <SignInPage />
      ) : (
        <Frame />
      )}
      <ShownKeyDialog />
      <TimeTip />
    </>
  )
}
