"""Slurm on one node, with daemons of the test's own: the bytes of one process, also if a part is killed."""

import os
import pwd
import socket
import subprocess
import tempfile
import time
import unittest
import pathlib

from harness import FarmTest, need

need("sbatch", "scontrol", "slurmctld", "slurmd", "munged")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm(FarmTest):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="varylink-slurm-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.folder.chmod(0o755)  # munged wants nobody else to be able to write to the folders of its socket
        cls.start(cls.folder)

    @classmethod
    def start(cls, folder):
        user, host = pwd.getpwuid(os.geteuid()).pw_name, socket.gethostname().split(".")[0]
        controller, node = free_ports(2)
        (folder / "munge").mkdir(mode=0o755)
        key = folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        for name in ("state", "spool", "log"):
            (folder / name).mkdir()
        config = folder / "slurm.conf"
        config.write_text(
            f"ClusterName=varylink\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n"
            f"SlurmctldPort={controller}\nSlurmdPort={node}\n"
            f"AuthType=auth/munge\nAuthInfo=socket={folder}/munge/socket\nCredType=cred/munge\n"
            f"StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/slurmctld.pid\n"
            f"SlurmdPidFile={folder}/slurmd.pid\nSlurmctldLogFile={folder}/log/slurmctld\nSlurmdLogFile={folder}/log/slurmd\n"
            "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerType=sched/backfill\n"
            "SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000\n"
            "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\nReturnToService=2\nKillWait=2\n"
            f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN\n"
            f"PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n")
        os.environ["SLURM_CONF"] = str(config)
        for daemon in (["munged", "--foreground", "--socket", folder / "munge/socket", "--key-file", key, "--pid-file",
                        folder / "munge/pid", "--log-file", folder / "log/munged", "--seed-file", folder / "munge/seed"],
                       ["slurmctld", "-D"], ["slurmd", "-D", "-N", host]):
            process = subprocess.Popen([cls.path_of(daemon[0]), *daemon[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            cls.addClassCleanup(process.wait)
            cls.addClassCleanup(process.terminate)
            cls.wait_for(lambda: process.poll() is None and (daemon[0] != "munged" or (folder / "munge/socket").exists()), daemon[0])
        cls.wait_for(lambda: b"idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True).stdout, "a node")

    @classmethod
    def wait_for(cls, condition, what):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        logs = "\n".join(f"{log.name}:\n{log.read_text()[-2000:]}" for log in (cls.folder / "log").iterdir())
        raise AssertionError(f"{what} does not answer\n{logs}")

    def test_same_bytes_as_one_process(self):
        self.assertEqual(self.link_on_farm("slurm.sh", [], self.program), self.one_process())

    def test_a_killed_part_is_done_again(self):
        # Its job script too, which is the parent of what limits its time: for Slurm the job has failed.
        killed = self.killed_once(also="os.kill(int(open(f'/proc/{os.getppid()}/stat').read().split()[3]), signal.SIGKILL)")
        self.assertEqual(self.link_on_farm("slurm.sh", [], killed), self.one_process())
        self.assert_killed_once()

    def test_a_part_that_hangs_is_done_again(self):
        hangs = self.killed_once(also="time.sleep(600)")
        self.assertEqual(self.link_on_farm("slurm.sh", ["--seconds", "20"], hangs), self.one_process())
        self.assert_killed_once()


if __name__ == "__main__":
    unittest.main()
