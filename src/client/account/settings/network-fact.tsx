/** The range of addresses from which a session or token was last used. */
export function NetworkFact({ address }: { address: string | null }) {
  if (address === null) return null
  return (
    <>
      {' '}
      · from <span title="Addresses of this range">{address}</span>
    </>
  )
}
