declare module 'autocannon' {
  type Result = {
    requests: { average: number; total: number }
    /** Milliseconds. */
    latency: { p50: number; p99: number }
    errors: number
    timeouts: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    requests?: { setupRequest: (request: { path: string }) => { path: string } }[]
  }): Promise<Result>
}
