// Run by MongoDB's image once, on an empty volume: the user that Scorebook works as, with rights on its database alone.

db.getSiblingDB('scorebook').createUser({
  user: 'scorebook',
  pwd: process.env.MONGODB_PASSWORD,
  roles: [{ role: 'readWrite', db: 'scorebook' }],
})
