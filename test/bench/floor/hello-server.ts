/**
 * The least that a Fastify server can do: the floor for requests, start-up and memory. Below `/bytes` it
 * answers so many of them, ready made, as long answers cost what their bytes cost.
 */
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
const bodies = new Map<string, Buffer>()
app.get('/bytes/:count', async (request, reply) => {
  const { count } = request.params as { count: string }
  const body = bodies.get(count) ?? Buffer.alloc(Number(count), 'x')
  bodies.set(count, body)
  return reply.type('application/json').send(body)
})
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
