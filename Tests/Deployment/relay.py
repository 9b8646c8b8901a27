"""Hands on bytes between a port and another, until it is ended or halted: `relay.py FROM TO` is a way that can be cut.

Ended, the way is refused; stopped by SIGSTOP, it is silent.
"""

import asyncio
import sys


async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(port: int, target: int) -> None:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(hand_on(reader, far_writer), hand_on(far_reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
