import { useEffect, useState } from 'preact/hooks'
import { Loading } from './components/states.tsx'
import { TimeTip } from './components/time.tsx'
import { Frame } from './frame.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { session } from './session.ts'
import { ToastList } from './toasts.tsx'

/** The pages, or signing in where nobody is signed in. The address stays, so that signing in leads to its page. */
export function App({ resuming }: { readonly resuming: Promise<void> }) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    void resuming.finally(() => setReady(true))
  }, [resuming])
  const current = session.value
  return (
    <>
      {!isReady ? (
        <div class="center">
          <Loading />
        </div>
      ) : current === null ? (
        <SignInPage />
      ) : (
        <Frame session={current} />
      )}
      <ToastList />
      <TimeTip />
    </>
  )
}
