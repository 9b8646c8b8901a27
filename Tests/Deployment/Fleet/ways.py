"""TCP ways between two programs, which can be cut, hang, or lead elsewhere."""

import asyncio
import threading
from contextlib import suppress


class Ways:
    """The thread that all ways share."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def open(self, target: int) -> "Way":
        way = Way(self, target)
        self.do(way.listen())
        return way

    def do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)


class Way:
    """A port that leads to another one."""

    def __init__(self, ways: Ways, target: int):
        self.ways, self.target, self.is_cut = ways, target, False
        self.sent = self.received = 0
        """Bytes towards the target, and back."""
        self.passing = asyncio.Event()
        self.passing.set()
        self.writers: set[asyncio.StreamWriter] = set()

    async def listen(self) -> None:
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Resets all connections, and new ones as well."""
        self.ways.do(self.change(is_cut=True))

    def hang(self) -> None:
        """Passes nothing on; connections stay open, and new ones are accepted."""
        self.ways.do(self.change(is_hung=True))

    def heal(self) -> None:
        """Passes on what waits, too."""
        self.ways.do(self.change())

    def redirect(self, target: int) -> None:
        """Resets all connections; new ones lead to another port."""
        self.ways.do(self.change(target=target))

    async def change(self, is_cut: bool = False, is_hung: bool = False, target: int | None = None) -> None:
        self.is_cut, self.target = is_cut, target or self.target
        (self.passing.clear if is_hung else self.passing.set)()
        if is_cut or target:
            for writer in list(self.writers):
                writer.transport.abort()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        self.writers.add(writer)
        onward = None
        try:
            await self.passing.wait()
            back, onward = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(onward)
            ends = [asyncio.create_task(self.pump(reader, onward, True)),
                    asyncio.create_task(self.pump(back, writer, False))]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()
        except OSError:
            pass
        finally:
            for one in (writer, onward):
                self.writers.discard(one)
                if one:
                    one.transport.abort() if self.is_cut or onward is None else one.close()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_up: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self.passing.wait()
                if is_up:
                    self.sent += len(data)
                else:
                    self.received += len(data)
                writer.write(data)
                await writer.drain()
