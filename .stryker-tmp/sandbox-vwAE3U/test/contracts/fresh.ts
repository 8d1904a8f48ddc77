// A fresh store for one check, closed afterwards in every case.

export async function withFresh<T extends { close(): Promise<void> }>(
  make: () => Promise<T>,
  use: (store: T) => Promise<void>,
): Promise<void> {
  const store = await make()
  try {
    await use(store)
  } finally {
    await store.close()
  }
}
