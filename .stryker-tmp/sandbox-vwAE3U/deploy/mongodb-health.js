// MongoDB's health check: makes the replica set of one member where there is none yet, and is content once it takes writes.

try {
  rs.status()
} catch (failure) {
  if (failure.codeName === 'NotYetInitialized') {
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] })
  }
}
const { setName, isWritablePrimary } = db.hello()
quit(setName === 'rs0' && isWritablePrimary ? 0 : 1)
