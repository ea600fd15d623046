declare module 'autocannon' {
  type Request = { path: string; headers?: Record<string, string> }
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
    headers?: Record<string, string>
    requests: { setupRequest: (request: Request) => Request }[]
  }): Promise<Result>
}
