/** The least that a Fastify server can do: the floor for requests, start-up and memory. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
