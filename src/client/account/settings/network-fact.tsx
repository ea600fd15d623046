/** From where something was used last, as a range of addresses. */
export function NetworkFact({ address }: { address: string | null }) {
  if (address === null) return null
  return (
    <>
      {' '}
      · from <span title="Addresses of this range">{address}</span>
    </>
  )
}
